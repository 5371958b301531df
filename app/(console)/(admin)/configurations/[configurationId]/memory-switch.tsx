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
          The provider, and everybody who sees a run, then gets up to 8 KiB of its person’s notes.
        </ReasonedSwitch>
        <p className="max-w-[72ch]">
          <span className="font-medium text-strong">Notes in the prompt.</span> Runs begin with
          their person’s newest notes, if they may use{' '}
          <Link href="/tools/memory_read" className="text-link underline underline-offset-2">
            memory_read
          </Link>
          . They count as an untrusted read.
        </p>
      </div>
    </Section>
  )
}
