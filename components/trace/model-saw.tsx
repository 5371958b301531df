import { Badge } from '@/components/ui/badge'
import { CopyButton } from '@/components/ui/copy-button'
import { formatBytes } from '@/lib/protocol/format'
import type { AskedInText } from '@/lib/protocol/message'
import { resultTag, resultText } from '@/lib/protocol/model-text'
import type { CallView } from '@/lib/protocol/round-view'
import type { Outcome } from '@/lib/protocol/tool'
import { LongText } from './long-text'
import { useTraceFacts } from './trace-context'

/** `note`: what Toolgate itself added after the result. */
type Props = { call: CallView; inText: AskedInText | null; outcome: Outcome; note: string }

/**
 * Shows the exact text of this result in the next request: cut, wrapped as untrusted, and followed by Toolgate's note.
 * Images are shown at the result.
 */
export function ModelSaw({ call, inText, outcome, note }: Props) {
  const { fence, ended, lastRound } = useTraceFacts()
  const { content: result, isError } = resultText(call.name, outcome, { inText, fence })
  const said = result + note
  const content = inText ? resultTag(call.name, said) : said
  const sent = call.round < lastRound
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2 text-muted text-sm">
        {!sent && (
          <span>
            {ended
              ? 'Not sent: the run ended before the next request.'
              : 'Will be sent with the next request.'}
          </span>
        )}
        {isError && <Badge tone="error">Marked as an error</Badge>}
        {outcome.type === 'ok' && outcome.truncated && (
          <Badge tone="warning">Cut from {formatBytes(outcome.originalBytes)}</Badge>
        )}
        <CopyButton text={content} what="what the model saw" className="ml-auto" />
      </div>
      {fence.canary !== '' && content.includes(fence.canary) && (
        <p className="text-muted text-sm">
          The marker line is a canary. If an answer or a call repeats it, the result steered the
          model, and the text is redacted or the call is denied.
        </p>
      )}
      <LongText text={content} label="What the model saw" />
    </div>
  )
}
