/** What is open over the calendar. Each dialog is about one schedule. */
import type { Data } from '../api/operation-types.js';
import { FeedDialog } from './feed-dialog.js';
import { OverrideDialog } from './override-dialog.js';
import { ShiftDialog } from './shift-dialog.js';
import type { OverrideDraft, ShiftSpan } from './spans.js';
import { SwapDialog } from './swap-dialog.js';

export type Schedule = Data<'getSchedule'>;

export type OpenDialog =
  | { kind: 'override'; schedule: Schedule; draft: OverrideDraft }
  | { kind: 'shift' | 'swap'; schedule: Schedule; span: ShiftSpan }
  | { kind: 'feed'; schedule: Schedule | null };

export interface DialogsProps {
  dialog: OpenDialog | null;
  open: (dialog: OpenDialog | null) => void;
  zone: string;
}

export function Dialogs({ dialog, open, zone }: DialogsProps) {
  const close = (): void => open(null);
  switch (dialog?.kind) {
    case undefined:
      return null;
    case 'override':
      return <OverrideDialog schedule={dialog.schedule} draft={dialog.draft} zone={zone} close={close} />;
    case 'shift':
      return <ShiftDialog schedule={dialog.schedule} span={dialog.span} zone={zone} open={open} />;
    case 'swap':
      return <SwapDialog schedule={dialog.schedule} span={dialog.span} zone={zone} close={close} />;
    case 'feed':
      return <FeedDialog schedule={dialog.schedule} close={close} />;
  }
}
