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
          Sent before the prompt, in the first user message. The tags contain a random word that is
          different for each run, so no skill can know it. The system prompt adds: “{preview.note}”
        </p>
        <LongText text={preview.text} label="What the model is sent" />
      </div>
    </Disclosure>
  )
}
