import type { Metadata } from 'next'
import { PageHead } from '@/components/ui/page-head'
import { requireAdmin } from '@/lib/auth/require-user'
import { maxBodyWords } from '@/lib/domains/skills/schemas'
import { AddSkills } from './add-skills'

export const metadata: Metadata = { title: 'Add skills' }

export default async function AddSkillsPage() {
  await requireAdmin()
  return (
    <div className="flex max-w-4xl flex-col gap-6 p-4 md:p-6">
      <PageHead title="Add skills">
        A SKILL.md starts with front matter between two lines of <code>---</code>: name, description
        and, to limit the tools of a run, allowed-tools. The text follows, up to {maxBodyWords}.
      </PageHead>
      <AddSkills />
    </div>
  )
}
