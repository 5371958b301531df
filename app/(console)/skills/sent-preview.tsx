import { Disclosure } from '@/components/trace/disclosure'
import { LongText } from '@/components/trace/long-text'
import { formatTokens } from '@/lib/protocol/format'

type Preview = { note: string; text: string; tokens: number }

/** Exactly what a model is sent of skills; nothing where they send nothing. */
export function SentPreview({ preview }: { preview: Preview }) {
  if (preview.text === '') return null
  return (
    <Disclosure summary={`What the model is sent (≈ ${formatTokens(preview.tokens)})`}>
      <div className="flex flex-col gap-2">
        <p className="text-muted">
          In front of the prompt, in the first user message. Each run has a random word of its own
          in the tags, which no skill can know. The system prompt adds: “{preview.note}”
        </p>
        <LongText text={preview.text} label="What the model is sent" />
      </div>
    </Disclosure>
  )
}
