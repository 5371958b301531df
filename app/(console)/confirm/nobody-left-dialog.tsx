'use client'
import { FormDialog } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import { VisibleText } from '@/components/trace/visible-text'
import { lossStart, nobodyCanApprove } from '@/lib/protocol/typed-confirmation'

const label = `Type "${nobodyCanApprove}" to confirm`

/** Splits a refusal into its sentences, which may have full stops in names. */
const sentencesOf = (consequence: string) => consequence.split(new RegExp(` (?=${lossStart} )`))

/** Asks to type a text before a change after which nobody could approve some calls. `onAnswer` gets it; null = not confirmed. */
export function NobodyLeftDialog({
  consequence,
  onAnswer,
}: {
  consequence: string
  onAnswer: (typed: string | null) => void
}) {
  const form = useActionForm({
    values: { confirm: '' },
    isFleeting: true,
    send: async ({ confirm }) => {
      if (confirm.trim().toLowerCase() === nobodyCanApprove) return { ok: true, value: confirm }
      const message = `${label}.`
      return { ok: false, error: { code: 'invalid-input', message, fields: { confirm: message } } }
    },
    onDone: onAnswer,
  })
  return (
    <FormDialog
      form={form}
      title="Nobody could approve some calls"
      description={
        <ul className="flex list-disc flex-col gap-1 pl-4 [overflow-wrap:anywhere]">
          {sentencesOf(consequence).map((sentence) => (
            <li key={sentence}>
              <VisibleText text={sentence} />
            </li>
          ))}
        </ul>
      }
      button="Do it anyway"
      danger
      onClose={() => onAnswer(null)}
    >
      <FormField name="confirm" shape={{ kind: 'text', label }} />
    </FormDialog>
  )
}
