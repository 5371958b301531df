import type { ReactNode } from 'react'
import { CopyButton } from '@/components/ui/copy-button'
import type { CallView } from '@/lib/protocol/fold-run'
import { CallArguments } from './call-arguments'
import { CallDecision } from './call-decision'
import { CallResult } from './call-result'
import { LongText } from './long-text'
import { ModelSaw } from './model-saw'
import { Part } from './part'

/** What a call was asked with, what came back, who allowed it, what the model got to see. */
export function CallBody({ call }: { call: CallView }) {
  const json = JSON.stringify(call, null, 2)
  const ended = call.state.type === 'ended' ? call.state : null
  return (
    <div className="flex flex-col gap-4 border-t px-3 py-3">
      <Part title="Arguments" action={<CopyButton text={call.argumentsText} what="arguments" />}>
        <CallArguments argumentsText={call.argumentsText} />
      </Part>
      {ended && <CallResult callId={call.callId} outcome={ended.outcome} />}
      {ended && (
        <Part title="Decision">
          <CallDecision verdict={ended.verdict} outcome={ended.outcome} toolName={call.name} />
        </Part>
      )}
      {ended && (
        <Fold title="Model saw">
          <ModelSaw call={call} outcome={ended.outcome} />
        </Fold>
      )}
      <Fold title="Raw JSON" action={<CopyButton text={json} what="raw JSON" />}>
        <LongText text={json} label="Raw JSON" />
      </Fold>
    </div>
  )
}

function Fold({
  title,
  action,
  children,
}: {
  title: string
  action?: ReactNode
  children: ReactNode
}) {
  return (
    <details className="group">
      <summary className="flex min-h-7 cursor-pointer items-center gap-2 rounded-sm font-medium text-muted text-sm hover:text-strong">
        <span aria-hidden className="transition-transform group-open:rotate-90">
          ›
        </span>
        {title}
      </summary>
      <div className="flex items-start gap-2 pt-1">
        <div className="min-w-0 flex-1">{children}</div>
        {action}
      </div>
    </details>
  )
}
