import { Check, MessageSquarePlus, Pencil, X } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Textarea } from '@/components/ui/textarea'
import { visibleText } from '@/lib/words/clean-text'
import type { DecisionRight } from './approval-actions'
import { fieldsSoon } from './written-answers'

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
            {...fieldsSoon}
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

/** Shows a button that opens the field for a remark, because most approvals need none. */
export function AddRemark({ toolName, onPress }: { toolName: string; onPress: () => void }) {
  return (
    <Button
      variant="ghost"
      size="sm"
      className="self-start"
      aria-label={`Add a note about ${visibleText(toolName)}`}
      onClick={onPress}
    >
      <MessageSquarePlus className="size-4" aria-hidden />
      Add a note
    </Button>
  )
}

/** Shows a field for the reason of an approval, for later readers of the run. */
export function ApprovalRemark({
  id,
  value,
  onChange,
}: {
  id: string
  value: string
  onChange: (value: string) => void
}) {
  return (
    <Field id={id} label="Note" optional hint="Kept in the audit; the model does not see it.">
      {(control) => (
        <Textarea
          {...control}
          autoFocus
          className="max-h-40 min-h-14"
          maxLength={2_000}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}
