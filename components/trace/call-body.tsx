import Link from 'next/link'
import { Badge } from '@/components/ui/badge'
import { CopyButton } from '@/components/ui/copy-button'
import { approvalNote } from '@/lib/domains/approvals/shared/approval-words'
import { hostNotListed } from '@/lib/domains/hosts/shared/web-origin'
import type { AskedInText } from '@/lib/protocol/model/message'
import { resultTag, resultText } from '@/lib/protocol/model/model-text'
import { type ImageTaker, imageNote } from '@/lib/protocol/model/result-images'
import type { CallView } from '@/lib/protocol/run/round-view'
import type { Outcome, Verdict } from '@/lib/protocol/tool'
import { resultSize } from '@/lib/words/format'
import { AskForHost } from './ask-for-host'
import { AskedArguments, CallApproval } from './call-approval'
import { ChangedArguments } from './call-arguments'
import { CallResult } from './call-result'
import { ChildRun } from './child-run'
import { DecisionLines } from './decision-lines'
import { Disclosure } from './disclosure'
import { type GatePlace, gateWords } from './gate-words'
import { LongText } from './long-text'
import { Part } from './part'
import { useReaderRole } from './reader-role'
import { RunningOutput } from './running-output'
import { useTraceFacts } from './trace-context'
import { UndoCall } from './undo-write'
import { VisibleText } from './visible-text'
import { previewTitle, WriteCheckView, WritePreview } from './write-check'

/** Shows the details of a call: arguments, result, decision, and the text that the model got. */
export function CallBody({
  call,
  inText,
  note,
  reader,
  onDecided,
}: {
  call: CallView
  inText: AskedInText | null
  note: string
  reader: ImageTaker | null
  /** Takes the focus when the approval form that held it is removed. */
  onDecided: () => void
}) {
  const ran = finalArguments(call)
  const ended = call.state.type === 'ended' ? call.state : null
  return (
    <div className="flex flex-col gap-3 border-t px-3 py-3">
      <Part title="Arguments" action={<CopyButton text={ran} what="arguments" />}>
        {ran === call.argumentsText ? (
          <AskedArguments call={call} argumentsText={ran} />
        ) : (
          <ChangedArguments before={call.argumentsText} after={ran} />
        )}
      </Part>
      {inText && (
        <Disclosure summary="As the model wrote it">
          <LongText text={inText.tag.trim()} label="As the model wrote it" />
          {inText.after.trim() !== '' && (
            <>
              <p className="pt-2 text-muted text-sm">Then, not part of its answer:</p>
              <LongText text={inText.after.trim()} label="Text after the request" />
            </>
          )}
        </Disclosure>
      )}
      {call.approval?.preview && !ended?.check && (
        <Part title={previewTitle(call.approval.preview)}>
          <WritePreview preview={call.approval.preview} />
        </Part>
      )}
      {call.approval && <CallApproval call={call} approval={call.approval} onDecided={onDecided} />}
      {call.state.type === 'running' && call.state.output && (
        <Part title="Output so far">
          <RunningOutput text={call.state.output.text} />
        </Part>
      )}
      {call.childRunId !== undefined && (
        <ChildRun
          key={call.childRunId}
          runId={call.childRunId}
          answered={ended?.outcome.type === 'ok'}
        />
      )}
      {ended && <CallResult callId={call.callId} outcome={ended.outcome} reader={reader} />}
      {ended?.outcome.type === 'failed' && ended.outcome.code === hostNotListed && (
        <AskForHost argumentsText={ran} />
      )}
      {ended?.check && <WriteCheckView check={ended.check} />}
      <UndoCall call={call} />
      {ended && (
        <Part title="Decision">
          <CallDecision verdict={ended.verdict} outcome={ended.outcome} toolName={call.name} />
        </Part>
      )}
      {ended && (
        <Disclosure summary="What the model saw">
          <ModelSaw
            call={call}
            inText={inText}
            outcome={ended.outcome}
            note={(reader ? imageNote(call, reader) : '') + approvalNote(call) + note}
          />
        </Disclosure>
      )}
      <Disclosure summary="Raw JSON">
        <RawJson call={call} />
      </Disclosure>
    </div>
  )
}

function RawJson({ call }: { call: CallView }) {
  const json = JSON.stringify(call, null, 2)
  return (
    <div className="flex items-start gap-2">
      <div className="min-w-0 flex-1">
        <LongText text={json} label="Raw JSON" />
      </div>
      <CopyButton text={json} what="raw JSON" />
    </div>
  )
}

/** Shows the gates' decision at the time of the call. They are asked in order, up to the first refusal. */
function CallDecision({
  verdict,
  outcome,
  toolName,
}: {
  verdict: Verdict
  outcome: Outcome
  toolName: string
}) {
  const { configurationId, taskId, userId } = useTraceFacts()
  const isAdmin = useReaderRole() === 'admin'
  const about = { toolName, configurationId, taskId, userId }
  const words = verdict.allowed ? null : gateWords(verdict.gate, { ...about, part: verdict.part })
  const stopped = verdict.allowed && outcome.type === 'denied' ? outcome.reason : null
  return (
    <DecisionLines
      verdict={verdict}
      withConfiguration={configurationId !== null}
      after={
        <>
          {stopped && <VisibleText text={`Not run: ${stopped}`} />}
          {isAdmin && words ? <Places of={[words.where, words.also]} /> : words?.ask}
        </>
      }
    />
  )
}

/** Shows links to the pages where an admin can change what refused a call. */
function Places({ of }: { of: readonly (GatePlace | null)[] }) {
  const places = of.filter((place) => place !== null)
  return places.map(({ href, after }, at) => (
    <span key={href}>
      {at > 0 && ' · '}
      <Link href={href} className="text-link underline underline-offset-2">
        {after}
      </Link>
    </span>
  ))
}

/** `note`: what Toolgate itself added after the result. */
type Props = { call: CallView; inText: AskedInText | null; outcome: Outcome; note: string }

/**
 * Shows the exact text of this result in the next request: cut, wrapped as untrusted, and followed by Toolgate's note.
 * Images are shown at the result.
 */
function ModelSaw({ call, inText, outcome, note }: Props) {
  const { fence, ended, lastRound } = useTraceFacts()
  const { content: result, isError } = resultText(call.name, outcome, { inText, fence })
  const said = result + note
  const content = inText ? resultTag(call.name, said) : said
  const sent = call.round < lastRound
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2 text-muted text-sm">
        {!sent && (
          <span>{ended ? 'Not sent: the run ended first.' : 'Sent with the next request.'}</span>
        )}
        {isError && <Badge tone="error">Marked as an error</Badge>}
        {outcome.type === 'ok' && outcome.truncated && (
          <Badge tone="warning">Cut from {resultSize(outcome.originalBytes)}</Badge>
        )}
        <CopyButton text={content} what="what the model saw" className="ml-auto" />
      </div>
      {fence.canary !== '' && content.includes(fence.canary) && (
        <p className="text-muted text-sm">
          The marker line is a canary: text that repeats it is redacted, a call denied.
        </p>
      )}
      <LongText text={content} label="What the model saw" />
    </div>
  )
}

/** Returns the arguments that a call runs with: the model's, unless somebody edited them when approving. */
export function finalArguments({ argumentsText, approval }: CallView): string {
  const decision = approval?.decision
  return decision?.type === 'edited' ? decision.argumentsText : argumentsText
}
