import type { Metadata } from 'next'
import { readTaskChoices } from '@/app/(console)/tasks/read-task-choices'
import { NewTask } from '@/app/(console)/tasks/task-editor'
import { PageHead } from '@/components/shell/page-head'
import { PageFrame } from '@/components/ui/page-frame'
import { requireAdmin } from '@/lib/next/require-user'

export const metadata: Metadata = { title: 'Add task · Tasks' }

export default async function NewTaskPage() {
  const ctx = await requireAdmin()
  return (
    <PageFrame kind="detail">
      <PageHead title="Add task">A prompt to fill in and run.</PageHead>
      <NewTask choices={await readTaskChoices(ctx)} />
    </PageFrame>
  )
}
