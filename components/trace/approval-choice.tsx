import { Check, Pencil, X } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { visibleText } from '@/lib/protocol/clean-text'
import type { DecisionRight } from './approval-actions'

/** Shows the buttons that approve, edit or deny a call. Edit and deny open a text field first. */
export function ApprovalChoice({
  toolName,
  right,
  busy,
  onApprove,
  onWrite,
}: {
  toolName: string
  right: DecisionRight
  busy: boolean
  onApprove: () => void
  onWrite: (what: 'edit' | 'deny') => void
}) {
  // The buttons of all waiting calls show the same words, so their accessible names include the tool.
  const name = visibleText(toolName)
  return (
    <div className="flex flex-wrap gap-2">
      {right.allowed && (
        <>
          <Button
            variant="primary"
            aria-label={`Approve ${name}`}
            loading={busy}
            onClick={onApprove}
          >
            {!busy && <Check className="size-4" aria-hidden />}
            Approve
          </Button>
          <Button
            aria-label={`Edit arguments of ${name}`}
            disabled={busy}
            onClick={() => onWrite('edit')}
          >
            <Pencil className="size-4" aria-hidden />
            <span>
              Edit<span className="max-sm:hidden"> arguments</span>
            </span>
          </Button>
        </>
      )}
      {(right.allowed || right.mayDeny) && (
        <Button aria-label={`Deny ${name}`} disabled={busy} onClick={() => onWrite('deny')}>
          <X className="size-4" aria-hidden />
          Deny
        </Button>
      )}
    </div>
  )
}
