'use client'
import type { StrongerRules } from '@toolgate/server/domains/programs/suggested-rules'
import { useState } from 'react'
import { resourceForm } from '@/app/(console)/(admin)/resource-form'
import {
  ChangedResourceForm,
  NewResourceForm,
  type ReferenceChoices,
} from '@/components/resource/resource-form'
import { Button } from '@/components/ui/button'
import { Section } from '@/components/ui/section'
import { type Program, programs } from '@/lib/domains/programs/shape'
import type { KnownProgram } from '@/lib/domains/programs/shared/known-programs'

const form = resourceForm(programs, {
  description: 'exec runs it in a workspace, without a shell.',
  removal: 'No run can use it any more.',
})
export const NewProgramButton = form.NewButton
export const ProgramActions = form.Actions

type Choices = { choices: ReferenceChoices }

/** Says that Toolgate suggests stronger rules, and opens the form with them. */
export function StrongerRulesNote({
  program,
  choices,
  stronger: { rules, weakness },
}: Choices & { program: Program; stronger: StrongerRules }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className="max-w-[72ch] text-warning [overflow-wrap:anywhere]">{weakness}</p>
      <Button size="sm" onClick={() => setOpen(true)}>
        Use the suggested rules
      </Button>
      {isOpen && (
        <ChangedResourceForm
          resource={programs}
          stored={program}
          values={rules}
          onClose={() => setOpen(false)}
          spec={form.spec}
          choices={choices}
        />
      )}
    </div>
  )
}

type Found = KnownProgram & { path: string }

/** Offers programs of the server whose rules are known, with the form that allows one. */
export function KnownPrograms({ found, choices }: Choices & { found: readonly Found[] }) {
  const [pending, setPending] = useState<Found | null>(null)
  if (found.length === 0) return null
  return (
    <Section title="On this server">
      <p className="max-w-[72ch] text-muted">Their dangerous options are filled in.</p>
      <ul className="flex flex-wrap gap-2">
        {found.map((program) => (
          <li key={program.name}>
            <Button size="sm" title={program.about} onClick={() => setPending(program)}>
              Allow <code className="font-mono text-mono">{program.name}</code>
            </Button>
          </li>
        ))}
      </ul>
      {pending && (
        <NewResourceForm
          key={pending.name}
          resource={programs}
          choices={choices}
          spec={{ ...form.spec, description: pending.about, start: () => startOf(pending) }}
          onClose={() => setPending(null)}
        />
      )}
    </Section>
  )
}

/** Returns what the form holds at first: text, "" where nothing is given. */
function startOf({ about: _, ...typed }: Found) {
  return typed
}
