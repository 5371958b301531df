import { GraduationCap, Plus, SearchX } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import { AddressFilter, type FilterField } from '@/components/forms/address-filter'
import { addressOf } from '@/components/forms/address-of'
import { countOf } from '@/components/trace/count-of'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHead } from '@/components/ui/page-head'
import { PageLinks } from '@/components/ui/page-links'
import { requireAdmin } from '@/lib/auth/require-user'
import { env } from '@/lib/env'
import { listSkills } from '@/lib/skills/list-skills'
import { skillStates } from '@/lib/skills/schemas'
import { filterSkills, readSkillFilter } from '../skill-filter'
import { sourceWords, stateWords } from '../skill-words'
import { ReadFolder } from './read-folder'
import { SkillCards } from './skill-cards'
import { SkillTable } from './skill-table'

export const metadata: Metadata = { title: 'Skills' }

type SearchParams = Promise<Record<string, string | string[] | undefined>>

const pageSize = 50

const fields: FilterField[] = [
  { type: 'search', name: 'search', label: 'Search skills' },
  {
    type: 'choice',
    name: 'state',
    label: 'State',
    any: 'Any state',
    options: skillStates.map((value) => ({ value, label: stateWords[value] })),
  },
  {
    type: 'choice',
    name: 'source',
    label: 'Source',
    any: 'Any source',
    options: Object.entries(sourceWords).map(([value, label]) => ({ value, label })),
  },
  {
    type: 'choice',
    name: 'use',
    label: 'Use',
    any: 'Used or not',
    options: [
      { value: 'used', label: 'Used' },
      { value: 'unused', label: 'Not used' },
    ],
  },
]

export default async function SkillsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireAdmin()
  const { page, ...filter } = readSkillFilter(await searchParams)
  const all = await listSkills(ctx)
  const found = filterSkills(all, filter)
  const pages = Math.max(1, Math.ceil(found.length / pageSize))
  const at = Math.min(page, pages)
  const rows = found.slice((at - 1) * pageSize, at * pageSize)
  return (
    <div className="flex flex-col gap-4 p-4 md:p-6">
      <PageHead title="Skills" action={<AddLink />}>
        Guidance that configurations send with their prompts. What a skill lists under allowed-tools
        narrows what a run is offered; it never widens it.
      </PageHead>
      {env().TOOLGATE_SKILLS_DIR !== undefined && <ReadFolder />}
      {all.length > 0 && (
        <AddressFilter path="/skills" fields={fields} values={filter} count={words(found, all)} />
      )}
      {rows.length === 0 ? (
        <Nothing none={all.length === 0} />
      ) : (
        <>
          <SkillTable skills={rows} />
          <SkillCards skills={rows} />
        </>
      )}
      <PageLinks
        of="skills"
        page={at}
        pages={pages}
        hrefOf={(next) => addressOf('/skills', { ...filter, page: next })}
      />
    </div>
  )
}

function words(found: readonly unknown[], all: readonly unknown[]): string {
  const whole = countOf(all.length, 'skill')
  return found.length === all.length ? whole : `${found.length} of ${whole}`
}

function AddLink() {
  return (
    <Button asChild variant="primary">
      <Link href="/skills/add">
        <Plus className="size-4" aria-hidden />
        Add skills
      </Link>
    </Button>
  )
}

function Nothing({ none }: { none: boolean }) {
  if (none) {
    return (
      <EmptyState icon={GraduationCap} title="No skills yet" action={<AddLink />}>
        A skill is a SKILL.md: a name, a description, the tools it needs, and words on how to do
        something well. Upload or paste one, or name a folder of them in TOOLGATE_SKILLS_DIR.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={SearchX}
      title="No skill fits this filter"
      action={
        <Button asChild>
          <Link href="/skills">Clear filter</Link>
        </Button>
      }
    >
      Search looks at name, description, listed tools and the configurations that use it.
    </EmptyState>
  )
}
