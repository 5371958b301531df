import { listSkills } from '@toolgate/server/domains/skills/reads'
import { defaultSkillSort, SkillState } from '@toolgate/server/domains/skills/schemas'
import { lenientQuery } from '@toolgate/server/edge/lenient-query'
import { env } from '@toolgate/server/kernel/env'
import { GraduationCap } from 'lucide-react'
import type { Metadata } from 'next'
import type { FilterField } from '@/components/forms/address-filter'
import { AddLink } from '@/components/list/links'
import { WholeList } from '@/components/list/list-frame'
import { PageHead } from '@/components/shell/page-head'
import { EmptyState } from '@/components/ui/empty-state'
import { PageFrame } from '@/components/ui/page-frame'
import { skillSourceWords, skillStateWords } from '@/lib/domains/skills/shape'
import { requireAdmin } from '@/lib/next/require-user'
import { filterSkills, SkillQuery } from '../skill-filter'
import { ReadFolder } from './read-folder'
import { SkillList } from './skill-list'

export const metadata: Metadata = { title: 'Skills' }

type SearchParams = Promise<Record<string, string | string[] | undefined>>

const fields: FilterField[] = [
  { type: 'search', name: 'search', label: 'Search skills' },
  {
    type: 'choice',
    name: 'state',
    label: 'State',
    any: 'Any state',
    options: SkillState.options.map((value) => ({ value, label: skillStateWords[value] })),
  },
  {
    type: 'choice',
    name: 'source',
    label: 'Source',
    any: 'Any source',
    options: Object.entries(skillSourceWords).map(([value, label]) => ({ value, label })),
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

const add = <AddLink href="/skills/add">Add skills</AddLink>

export default async function SkillsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireAdmin()
  const { page, sort, ...values } = lenientQuery(SkillQuery, await searchParams)
  const all = await listSkills(ctx, { sort })
  const found = filterSkills(all, values)
  const address = { path: '/skills', values, page, sort: { by: sort, default: defaultSkillSort } }
  return (
    <PageFrame kind="list">
      <PageHead title="Skills" action={add}>
        Instructions that configurations and tasks send with their prompts.
      </PageHead>
      {env().TOOLGATE_SKILLS_DIR !== undefined && <ReadFolder />}
      <WholeList
        thing="skill"
        address={address}
        fields={fields}
        found={found}
        whole={all.length}
        list={SkillList}
        searched="name, description, tools, configurations and tasks"
        nothing={
          <EmptyState icon={GraduationCap} title="No skills yet" action={add}>
            Add a SKILL.md, or set TOOLGATE_SKILLS_DIR to a folder.
          </EmptyState>
        }
      />
    </PageFrame>
  )
}
