'use client'
import Link from 'next/link'
import { ReasonedSwitch } from '@/components/forms/reasoned-switch'
import { Section } from '@/components/ui/section'
import { policyReasons } from '@/lib/domains/configurations/shape'
import { changePolicy } from '../actions'

type Props = { configurationId: string; memoryInPrompt: boolean }

/** Shows the switch for notes in the prompt. Switching it on asks for a reason first: the provider receives more. */
export function MemorySwitch({ configurationId, memoryInPrompt }: Props) {
  return (
    <Section title="Memory">
      <div className="flex items-start gap-3">
        <ReasonedSwitch
          id={configurationId}
          name="notes in the prompt"
          enabled={memoryInPrompt}
          asks="on"
          required={policyReasons.memoryInPrompt}
          send={({ enabled, ...given }) => changePolicy({ ...given, memoryInPrompt: enabled })}
        >
          Each run then sends up to 8 KiB of notes of its person to the provider, also when no model
          asks for them. Whoever may see the run sees these notes.
        </ReasonedSwitch>
        <p className="max-w-[72ch]">
          <span className="font-medium text-strong">Notes in the prompt.</span> If on, a run begins
          with the newest notes that earlier runs left for its person with this configuration, when
          it may use{' '}
          <Link href="/tools/memory_read" className="text-link underline underline-offset-2">
            memory_read
          </Link>
          . They count as an untrusted read.
        </p>
      </div>
    </Section>
  )
}
