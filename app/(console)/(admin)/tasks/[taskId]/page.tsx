import type { Metadata } from 'next'
import Link from 'next/link'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { PageHead } from '@/components/ui/page-head'
import { requireAdmin } from '@/lib/auth/require-user'
import { listTaskVersions } from '@/lib/domains/tasks/reads'
import { countOf } from '@/lib/protocol/format'
import { taskSkills } from '@/lib/toolset/task-skills'
import { readTaskChoices } from '../read-task-choices'
import { draftOf } from '../task-draft'
import { EditTask } from './edit-task'
import { findTask } from './find-task'
import { History } from './history'
import { SkillsSent } from './skills-sent'
import { TaskActions } from './task-actions'

export const metadata: Metadata = { title: 'Task' }

type Props = {
  params: Promise<{ taskId: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function TaskPage({ params, searchParams }: Props) {
  const ctx = await requireAdmin()
  const task = await findTask((await params).taskId)
  const [choices, versions, skills, { changes }] = await Promise.all([
    readTaskChoices(ctx),
    listTaskVersions(ctx, task.id),
    taskSkills(ctx, task.id),
    searchParams,
  ])
  const { id, form, enabled, version, runs } = task
  return (
    <div className="flex flex-col gap-8 p-4 md:p-6">
      <PageHead
        title={<VisibleText text={form.name} />}
        action={
          <TaskActions task={{ id, name: form.name, identifier: form.identifier, enabled }} />
        }
      >
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Badge className="font-mono">{form.identifier}</Badge>
          <span className="numeric">version {version}</span>
          <Link href={`/runs?task=${id}`} className="numeric text-link hover:underline">
            {countOf(runs, 'run')}
          </Link>
          <Link href={`/tools/explain?task=${id}`} className="text-link hover:underline">
            Tools offered to its runs
          </Link>
        </span>
      </PageHead>
      <EditTask taskId={id} version={version} stored={draftOf(form)} choices={choices} />
      <SkillsSent skills={skills} configuration={form.configuration?.name ?? null} />
      <History
        taskId={id}
        current={{ version, form }}
        versions={versions}
        compared={Number(changes)}
      />
    </div>
  )
}
