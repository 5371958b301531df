'use client'
import { useId, useState } from 'react'
import { ActWithReason } from '@/components/forms/reason-dialog'
import { useAct } from '@/components/forms/use-act'
import { Select } from '@/components/ui/select'
import { policyReasons } from '@/lib/domains/configurations/shape'
import { AfterUntrusted, afterUntrustedWords } from '@/lib/protocol/flow'
import { changePolicy } from '../actions'

const options = AfterUntrusted.options.toReversed().map((value) => ({
  value,
  label: afterUntrustedWords[value],
}))

/**
 * Shows the choice of what happens to calls that write after a run has read what others can write. Letting them start asks
 * for a reason first.
 */
export function AfterUntrustedChoice({
  configurationId,
  value,
}: {
  configurationId: string
  value: AfterUntrusted
}) {
  const id = useId()
  const [asking, setAsking] = useState(false)
  const { busy, act } = useAct()
  const set = (afterUntrusted: AfterUntrusted, reason: string) =>
    changePolicy({ id: configurationId, afterUntrusted, reason })
  const choose = (chosen: string) => {
    const wanted = AfterUntrusted.parse(chosen)
    if (wanted === value) return
    if (wanted === 'allow') return setAsking(true)
    void act(() => set(wanted, ''), {
      done: 'Setting saved',
      about: `${configurationId} untrusted reads`,
    })
  }
  return (
    <div className="flex flex-col gap-2">
      <p id={id} className="max-w-[72ch]">
        <span className="font-medium text-strong">After untrusted reads.</span> Once a run has read
        web pages, files or results of MCP servers, calls that write:
      </p>
      <Select
        options={options}
        value={value}
        disabled={busy}
        onValueChange={choose}
        aria-labelledby={id}
        className="w-full max-w-96"
      />
      {asking && (
        <ActWithReason
          title="Let calls write"
          required={policyReasons.afterUntrusted}
          done="Setting saved"
          send={(reason) => set('allow', reason)}
          onClose={() => setAsking(false)}
        >
          Instructions hidden in what new runs read may make them write. Calls that need approval
          still wait.
        </ActWithReason>
      )}
    </div>
  )
}
