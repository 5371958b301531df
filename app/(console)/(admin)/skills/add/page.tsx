import { maxBodyWords } from '@toolgate/server/domains/skills/schemas'
import type { Metadata } from 'next'
import { PageHead } from '@/components/shell/page-head'
import { PageFrame } from '@/components/ui/page-frame'
import { requireAdmin } from '@/lib/next/require-user'
import { AddSkills } from './add-skills'

export const metadata: Metadata = { title: 'Add skills · Skills' }

export default async function AddSkillsPage() {
  await requireAdmin()
  return (
    <PageFrame kind="detail">
      <PageHead title="Add skills">
        A SKILL.md starts with front matter between two lines of <code>---</code>: name, description
        and, to limit the tools of a run, allowed-tools. The text follows, up to {maxBodyWords}.
      </PageHead>
      <AddSkills />
    </PageFrame>
  )
}
