import { Field } from '@/components/ui/field'
import { Textarea } from '@/components/ui/textarea'
import { formatTokens } from '@/lib/protocol/format'
import type { DraftProps } from './configuration-draft'

/** The system prompt, which grows with its text, and about how much of every request it takes. */
export function PromptField({
  draft,
  errors,
  contextTokens,
  onChange,
}: DraftProps & { contextTokens: number | null }) {
  const tokens = roughTokens(draft.systemPrompt)
  const tooMuch = contextTokens !== null && tokens > contextTokens / 2
  return (
    <Field
      id="systemPrompt"
      label="System prompt"
      optional
      error={errors.systemPrompt}
      hint={
        <span className={tooMuch ? 'text-warning' : undefined}>
          About {formatTokens(tokens)}, sent with every request of a run.
          {tooMuch &&
            ` That is more than half of the model’s context (${formatTokens(contextTokens)}).`}
        </span>
      }
    >
      {(control) => (
        <Textarea
          {...control}
          value={draft.systemPrompt}
          className="max-h-[70vh] min-h-32"
          onChange={(event) => onChange({ systemPrompt: event.target.value })}
        />
      )}
    </Field>
  )
}

const encoder = new TextEncoder()

/** As runs estimate it: 4 characters of plain text a token, and about one for each character beyond Latin. */
function roughTokens(text: string): number {
  return Math.ceil(text.length / 4 + (encoder.encode(text).length - text.length) / 2)
}
