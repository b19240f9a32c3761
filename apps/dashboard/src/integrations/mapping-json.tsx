import { useState } from 'react';
import { texts } from '../texts/texts.js';
import { JsonEditor } from '../ui/json-editor.js';
import { hasShape, jsonOf, withJson, type Draft } from './mapping.js';
import { parsed } from './request-items.js';
import formStyles from '../ui/form.module.css';

export interface MappingJsonProps {
  draft: Draft;
  onChange: (draft: Draft) => void;
  fault: string | null;
  onFault: (fault: string | null) => void;
}

/** The mapping as its JSON. Text that is not JSON stays in the editor, and changes nothing. */
export function MappingJson({ draft, onChange, fault, onFault }: MappingJsonProps) {
  const said = texts.integrations.mapping;
  const [text, setText] = useState(() => jsonOf(draft));
  const change = (next: string): void => {
    setText(next);
    const found = parsed(next);
    if (found.kind === 'wrong') return onFault(said.jsonWrong(found.message));
    if (!hasShape(found.value)) return onFault(said.jsonObject);
    onFault(null);
    onChange(withJson(draft, found.value));
  };
  return (
    <>
      {fault !== null && (
        <p role="alert" className={formStyles.fault}>
          {fault}
        </p>
      )}
      <JsonEditor label={said.jsonLabel} value={text} onChange={change} />
    </>
  );
}
