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
      <PageHead title="Add skills">A SKILL.md has a name, a description and instructions.</PageHead>
      <AddSkills />
    </PageFrame>
  )
}
