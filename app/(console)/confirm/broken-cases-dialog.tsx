'use client'
import { FormDialog } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import { VisibleText } from '@/components/trace/visible-text'

const label = 'Reason, kept in the audit'
/** A cookie carries it to the server. */
const longest = 300

/** Shows the policy cases that a change breaks, and asks why it is saved anyway. `onAnswer` gets the reason; null = it is not. */
export function BrokenCasesDialog({
  refusal,
  onAnswer,
}: {
  refusal: string
  onAnswer: (reason: string | null) => void
}) {
  const form = useActionForm({
    values: { reason: '' },
    isFleeting: true,
    send: async ({ reason }) => {
      const text = reason.trim()
      if (text !== '' && text.length <= longest) return { ok: true, value: text }
      const message = text === '' ? 'Give a reason.' : `At most ${longest} characters.`
      return { ok: false, error: { code: 'invalid-input', message, fields: { reason: message } } }
    },
    onDone: onAnswer,
  })
  return (
    <FormDialog
      form={form}
      title="This change breaks policy cases"
      description={
        <ul className="flex list-disc flex-col gap-1 pl-4 [overflow-wrap:anywhere]">
          {refusal.split('\n').map((line) => (
            <li key={line}>
              <VisibleText text={line} />
            </li>
          ))}
        </ul>
      }
      button="Save it anyway"
      danger
      onClose={() => onAnswer(null)}
    >
      <FormField name="reason" shape={{ kind: 'text', label }} />
    </FormDialog>
  )
}
