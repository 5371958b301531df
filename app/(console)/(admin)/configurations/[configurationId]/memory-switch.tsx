'use client'
import Link from 'next/link'
import { useId, useState } from 'react'
import { ActWithReason } from '@/components/forms/reason-dialog'
import { useAct } from '@/components/forms/use-act'
import { Section } from '@/components/ui/section'
import { Switch } from '@/components/ui/switch'
import { policyReasons } from '@/lib/domains/configurations/shape'
import { changePolicy } from '../actions'

type Props = { configurationId: string; memoryInPrompt: boolean }

/** Shows the switch for notes in the prompt. Switching it on asks for a reason first: the provider receives more. */
export function MemorySwitch({ configurationId, memoryInPrompt }: Props) {
  const id = useId()
  const [asking, setAsking] = useState(false)
  const { busy, act } = useAct()
  const turn = (on: boolean, reason: string) =>
    changePolicy({ id: configurationId, memoryInPrompt: on, reason })
  const flip = () => {
    if (!memoryInPrompt) return setAsking(true)
    void act(() => turn(false, ''), {
      failed: 'Notes in the prompt were not switched off',
      done: 'Switched off notes in the prompt',
      about: `${configurationId} notes in the prompt`,
    })
  }
  return (
    <Section title="Memory">
      <div className="flex items-start gap-3">
        <Switch
          checked={memoryInPrompt}
          busy={busy}
          onCheckedChange={flip}
          aria-labelledby={id}
          className="mt-0.5"
        />
        <p id={id} className="max-w-[72ch]">
          <span className="font-medium text-strong">
            Notes in the prompt: {memoryInPrompt ? 'on' : 'off'}.
          </span>{' '}
          If on, a run begins with the newest notes that earlier runs left for its person with this
          configuration, when it may use{' '}
          <Link href="/tools/memory_read" className="text-link underline underline-offset-2">
            memory_read
          </Link>
          . They count as an untrusted read.
        </p>
      </div>
      {asking && (
        <ActWithReason
          title="Switch on notes in the prompt"
          required={policyReasons.memoryInPrompt}
          failed="Notes in the prompt were not switched on"
          done="Switched on notes in the prompt"
          send={(reason) => turn(true, reason)}
          onClose={() => setAsking(false)}
        >
          Each run then sends up to 8 KiB of notes of its person to the provider, also when no model
          asks for them. Whoever may see the run sees these notes.
        </ActWithReason>
      )}
    </Section>
  )
}
