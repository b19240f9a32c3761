import { Button, type ButtonProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConfirm, type Question } from './confirm.js';

export interface ConfirmButtonProps extends ButtonProps {
  question: Question;
  /** The word on the button; that of the question without it. */
  children?: ReactNode;
}

/** A button that asks before it acts. */
export function ConfirmButton({ question, children = question.action, ...props }: ConfirmButtonProps) {
  const [ask, dialog] = useConfirm();
  return (
    <>
      <Button variant="default" {...props} onClick={() => ask(question)}>
        {children}
      </Button>
      {dialog}
    </>
  );
}
