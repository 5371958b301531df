import type { Metadata } from 'next'
import Link from 'next/link'
import { ResourceSwitch } from '@/components/resource/resource-switch'
import { VersionHistory } from '@/components/resource/version-history'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { PageFrame } from '@/components/ui/page-frame'
import { PageHead } from '@/components/ui/page-head'
import { requireAdmin } from '@/lib/auth/require-user'
import { tasks } from '@/lib/domains/tasks/shape'
import { taskVerbs } from '@/lib/domains/tasks/verbs'
import { withPersonNames } from '@/lib/domains/users/person-names'
import { countOf } from '@/lib/protocol/format'
import { pageTitle } from '@/lib/protocol/page-title'
import { taskSkills } from '@/lib/toolset/task-skills'
import { changeTask, restoreVersion } from '../actions'
import { readTaskChoices } from '../read-task-choices'
import { draftOf } from '../task-draft'
import { EditTask } from './edit-task'
import { findTask } from './find-task'
import { SkillsSent } from './skills-sent'
import { TaskActions } from './task-actions'

type Props = {
  params: Promise<{ taskId: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { name } = await findTask((await params).taskId)
  return pageTitle(name, 'Tasks')
}

export default async function TaskPage({ params, searchParams }: Props) {
  const ctx = await requireAdmin()
  const task = await findTask((await params).taskId)
  const { id, name, identifier, enabled, version } = task
  const [choices, versions, skills, { changes }] = await Promise.all([
    readTaskChoices(ctx),
    taskVerbs.versions(ctx, { id }),
    taskSkills(ctx, id),
    searchParams,
  ])
  return (
    <PageFrame kind="detail">
      <PageHead
        title={<VisibleText text={name} />}
        state={<ResourceSwitch fields={tasks.fields} send={changeTask} row={task} />}
        action={<TaskActions task={{ id, name, identifier, enabled }} />}
      >
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Badge className="font-mono">{identifier}</Badge>
          <span className="numeric">version {version}</span>
          <Link href={`/runs?task=${id}`} className="numeric text-link hover:underline">
            {countOf(task.runs, 'run')}
          </Link>
          <Link href={`/tools/explain?task=${id}`} className="text-link hover:underline">
            Tools offered to its runs
          </Link>
        </span>
      </PageHead>
      <EditTask taskId={id} version={version} stored={draftOf(task)} choices={choices} />
      <SkillsSent skills={skills} configuration={task.configuration?.name ?? null} />
      <VersionHistory
        resource={tasks}
        id={id}
        versions={await withPersonNames(versions, ['createdByLabel'])}
        compared={Number(changes)}
        restore={restoreVersion}
      />
    </PageFrame>
  )
}
