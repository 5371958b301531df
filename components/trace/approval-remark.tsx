import { MessageSquarePlus } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Textarea } from '@/components/ui/textarea'
import { visibleText } from '@/lib/protocol/clean-text'

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
    <Field
      id={id}
      label="Note"
      optional
      hint="Stored with the approval and in the audit. The model does not see it."
    >
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
