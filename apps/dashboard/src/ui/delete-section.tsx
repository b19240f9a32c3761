/** The part of a page that deletes its record. */
import { DeleteButton, type DeleteButtonProps } from './delete-button.js';
import { Section } from './section.js';
import formStyles from './form.module.css';

export interface DeleteSectionProps extends Pick<DeleteButtonProps, 'operation' | 'id' | 'changes' | 'onDeleted'> {
  name: string;
  said: Record<'title' | 'hint', string> & Record<'question' | 'done' | 'failed', (name: string) => string>;
}

export const DeleteSection = ({ name, said, ...props }: DeleteSectionProps) => (
  <Section title={said.title} hint={said.hint}>
    <div className={formStyles.buttons}>
      <DeleteButton
        {...props}
        question={said.question(name)}
        text={said.hint}
        done={said.done(name)}
        notDone={said.failed(name)}
      />
    </div>
  </Section>
);
