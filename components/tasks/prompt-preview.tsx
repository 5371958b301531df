import { formatCount } from '@/lib/protocol/format'
import type { RenderedTask } from '@/lib/protocol/task-values'
import { LongText } from '../trace/long-text'

/** Shows the prompt as it would be sent. Variables without a value are shown as names in braces. */
export function PromptPreview({ text, made }: { text: string; made: RenderedTask }) {
  const missing = made.type === 'invalid' ? made.errors.size : 0
  return (
    <div className="flex flex-col gap-1">
      <LongText text={text} label="Prompt preview" />
      <p className="numeric text-muted text-sm">
        {missing === 0
          ? `${formatCount(text.length)} characters, complete`
          : `${formatCount(text.length)} characters so far, ${formatCount(missing)} ${missing === 1 ? 'value' : 'values'} missing or not valid`}
      </p>
    </div>
  )
}
