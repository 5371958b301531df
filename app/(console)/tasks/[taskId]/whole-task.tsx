import { taskVerbs } from '@toolgate/server/domains/tasks/verbs'
import { withPersonNames } from '@toolgate/server/domains/users/person-names'
import type { Params } from '@toolgate/server/edge/lenient-query'
import type { Ctx } from '@toolgate/server/kernel/context'
import { taskSkills } from '@toolgate/server/toolset/policy/task-skills'
import Link from 'next/link'
import { ResourceSwitch } from '@/components/resource/resource-switch'
import { VersionHistory } from '@/components/resource/version-history'
import { PageHead } from '@/components/shell/page-head'
import { HiddenTextNote } from '@/components/trace/hidden-text-note'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { PageFrame } from '@/components/ui/page-frame'
import { type TaskDetail, tasks } from '@/lib/domains/tasks/shape'
import { countOf } from '@/lib/words/format'
import { changeTask, restoreVersion } from '../actions'
import { readTaskChoices } from '../read-task-choices'
import { draftOf } from '../task-draft'
import { EditTask } from './edit-task'
import { SkillsSent } from './skills-sent'
import { TaskActions } from './task-actions'

type Props = { ctx: Ctx; task: TaskDetail; params: Params }

/** Shows a task to admins, who can change it. */
export async function WholeTask({ ctx, task, params: { changes } }: Props) {
  const { id, name, identifier, enabled, version } = task
  const stored = draftOf(task)
  const [choices, versions, skills] = await Promise.all([
    readTaskChoices(ctx),
    taskVerbs.versions(ctx, { id }),
    taskSkills(ctx, id),
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
      <HiddenTextNote of={stored} />
      <EditTask taskId={id} version={version} stored={stored} choices={choices} />
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
