import { FormField } from '@/components/forms/form-field'
import { formatTokens } from '@/lib/protocol/format'

/** The system prompt, which grows with its text, and about how much of every request it takes. */
export function PromptField({
  text,
  contextTokens,
}: {
  text: string
  contextTokens: number | null
}) {
  const tokens = roughTokens(text)
  const tooMuch = contextTokens !== null && tokens > contextTokens / 2
  return (
    <FormField
      name="systemPrompt"
      shape={{ kind: 'textarea', label: 'System prompt', optional: true }}
      controlClass="max-h-[70vh] min-h-32"
      hint={
        <span className={tooMuch ? 'text-warning' : undefined}>
          About {formatTokens(tokens)}, sent with every request of a run.
          {tooMuch &&
            ` That is more than half of the model’s context (${formatTokens(contextTokens)}).`}
        </span>
      }
    />
  )
}

const encoder = new TextEncoder()

/** As runs estimate it: 4 characters of plain text a token, and about one for each character beyond Latin. */
function roughTokens(text: string): number {
  return Math.ceil(text.length / 4 + (encoder.encode(text).length - text.length) / 2)
}
