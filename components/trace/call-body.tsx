import { CopyButton } from '@/components/ui/copy-button'
import type { AskedInText } from '@/lib/protocol/message'
import { approvalNote } from '@/lib/protocol/model-text'
import { type ImageTaker, imageNote } from '@/lib/protocol/result-images'
import type { CallView } from '@/lib/protocol/round-view'
import { CallApproval } from './call-approval'
import { CallArguments } from './call-arguments'
import { CallDecision } from './call-decision'
import { CallResult } from './call-result'
import { ChangedArguments } from './changed-arguments'
import { Disclosure } from './disclosure'
import { finalArguments } from './final-arguments'
import { LongText } from './long-text'
import { ModelSaw } from './model-saw'
import { Part } from './part'

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
          <CallArguments argumentsText={ran} />
        ) : (
          <ChangedArguments before={call.argumentsText} after={ran} />
        )}
      </Part>
      {inText && (
        <Disclosure summary="As the model wrote it">
          <LongText text={inText.tag.trim()} label="As the model wrote it" />
          {inText.after.trim() !== '' && (
            <>
              <p className="pt-2 text-muted text-sm">
                It then wrote this, which is no part of its answer:
              </p>
              <LongText text={inText.after.trim()} label="Text after the request" />
            </>
          )}
        </Disclosure>
      )}
      {call.approval && <CallApproval call={call} approval={call.approval} onDecided={onDecided} />}
      {ended && <CallResult callId={call.callId} outcome={ended.outcome} reader={reader} />}
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
