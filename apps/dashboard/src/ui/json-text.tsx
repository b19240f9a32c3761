import { json } from '@codemirror/lang-json';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { tags } from '@lezer/highlight';
import { useComputedColorScheme } from '@mantine/core';
import { basicSetup, EditorView } from 'codemirror';
import { useEffect, useEffectEvent, useRef } from 'react';
import { styleNonce } from '../app/nonce.js';
import styles from './json-text.module.css';

/** CodeMirror's own colours are for light backgrounds only. */
const dark = HighlightStyle.define([
  { tag: tags.string, color: '#ffa8a8' },
  { tag: tags.number, color: '#8ce99a' },
  { tag: [tags.bool, tags.null], color: '#b9c0f2' },
]);

export interface JsonTextProps {
  value: string;
  onChange?: (value: string) => void;
  label: string;
  readOnly?: boolean;
}

/** CodeMirror with JSON. `value` sets the text when it differs from what is typed. */
export function JsonText({ value, onChange, label, readOnly = false }: JsonTextProps) {
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const scheme = useComputedColorScheme();
  const changed = useEffectEvent((next: string) => onChange?.(next));
  const first = useEffectEvent(() => value);
  useEffect(() => {
    const editor = new EditorView({
      doc: first(),
      parent: parent.current as HTMLDivElement,
      extensions: [
        EditorView.cspNonce.of(styleNonce),
        basicSetup,
        json(),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label }),
        EditorView.editable.of(!readOnly),
        EditorView.theme({}, { dark: scheme === 'dark' }),
        scheme === 'dark' ? syntaxHighlighting(dark) : [],
        EditorView.updateListener.of((update) => {
          if (update.docChanged) changed(update.state.doc.toString());
        }),
      ],
    });
    view.current = editor;
    return () => editor.destroy();
  }, [label, readOnly, scheme]);
  useEffect(() => {
    const editor = view.current;
    const present = editor?.state.doc.toString();
    if (editor && present !== value) editor.dispatch({ changes: { from: 0, to: present?.length, insert: value } });
  }, [value]);
  return <div ref={parent} className={styles.editor} />;
}
