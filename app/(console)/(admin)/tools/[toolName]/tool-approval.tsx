'use client'
import type { ToolListing } from '@toolgate/server/toolset/tools/tool-listing'
import { useState } from 'react'
import { ActWithReason } from '@/components/forms/reason-dialog'
import { useAct } from '@/components/forms/use-act'
import { VisibleText } from '@/components/trace/visible-text'
import { RelativeTime } from '@/components/ui/relative-time'
import { OnOffSwitch } from '@/components/ui/switch'
import { setToolApproval } from '../actions'

/** Shows whether calls of a tool wait for approval, who said so, and the switch. */
export function ToolApproval({ tool }: { tool: ToolListing }) {
  const { name, effect, asksApproval, approvalSetting } = tool
  const { busy, act } = useAct()
  const [isAsked, setIsAsked] = useState(false)
  const set = (asks: boolean, reason: string) => setToolApproval({ name, asks, reason })
  const undo = () => set(asksApproval, approvalSetting?.reason ?? '')
  const done = `Calls of ${name} ${asksApproval ? 'need no approval' : 'wait for approval'}`
  const flip = () => {
    if (asksApproval && effect !== 'read') setIsAsked(true)
    else void act(() => set(!asksApproval, ''), { failed, done, undo, about: name })
  }
  return (
    <div className="flex max-w-[72ch] flex-col gap-2 text-sm">
      <div className="flex items-center gap-2">
        <OnOffSwitch
          checked={asksApproval}
          busy={busy}
          onCheckedChange={flip}
          aria-label={`Each call of ${name} waits for approval`}
        />
        <span>Each call waits for approval</span>
      </div>
      <Source tool={tool} />
      {isAsked && (
        <ActWithReason
          title={`Let ${name} write without approval`}
          failed={failed}
          done={done}
          undo={undo}
          about={name}
          required="Say why its calls need no approval."
          send={(reason) => set(false, reason)}
          onClose={() => setIsAsked(false)}
        >
          Its calls write without approval, unless a rule asks.
        </ActWithReason>
      )}
    </div>
  )
}

const failed = 'The approval was not changed'

function Source({ tool: { effect, approvalSetting } }: { tool: ToolListing }) {
  if (!approvalSetting) {
    return (
      <p className="text-muted">
        {effect !== 'read' ? 'Default, as it writes' : 'Default. Rules may still ask.'}
      </p>
    )
  }
  const { changedByLabel, changedAt, reason } = approvalSetting
  return (
    <p className="text-muted [overflow-wrap:anywhere]">
      Set by <VisibleText text={changedByLabel} />, <RelativeTime at={changedAt} />
      {reason && `: “${reason}”`}
    </p>
  )
}
