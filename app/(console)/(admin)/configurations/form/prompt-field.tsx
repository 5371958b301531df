import { FormField } from '@/components/forms/form-field'
import { configurationShape } from '@/lib/domains/configurations/shape'
import { formatTokens } from '@/lib/words/format'

/** Shows the system prompt, which grows with its text, and its approximate share of every request. */
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
      shape={configurationShape.systemPrompt}
      controlClass="max-h-[70vh] min-h-32"
      hint={
        <span className={tooMuch ? 'text-warning' : undefined}>
          About {formatTokens(tokens)} per request
          {tooMuch && `: more than half of the model’s context (${formatTokens(contextTokens)})`}
        </span>
      }
    />
  )
}

const encoder = new TextEncoder()

/**
 * Returns an estimate as runs make it: a token for 4 characters of plain text, and about one for each character beyond
 * Latin.
 */
function roughTokens(text: string): number {
  return Math.ceil(text.length / 4 + (encoder.encode(text).length - text.length) / 2)
}
