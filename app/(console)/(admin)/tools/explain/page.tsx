import { lenientQuery } from '@toolgate/server/edge/lenient-query'
import type { Ctx } from '@toolgate/server/kernel/context'
import { explainTools } from '@toolgate/server/toolset/policy/explain-tools'
import { KeyRound, ListTodo, SearchX, SlidersHorizontal } from 'lucide-react'
import type { Metadata } from 'next'
import { UserNotFound, VerdictList } from '@/components/explain/verdict-list'
import { AddressFilter } from '@/components/forms/address-filter'
import { PageHead } from '@/components/shell/page-head'
import { EmptyState } from '@/components/ui/empty-state'
import { PageFrame } from '@/components/ui/page-frame'
import type { TaskPanel } from '@/lib/domains/tasks/shared/task-panel'
import { requireAdmin } from '@/lib/next/require-user'
import { visibleText } from '@/lib/words/clean-text'
import { explainFields } from './explain-fields'
import { ExplainQuery, filterExplained } from './explain-filter'
import { type Question, readQuestion } from './read-question'

export const metadata: Metadata = { title: 'Explain' }

type SearchParams = Promise<Record<string, string | string[] | undefined>>

export default async function ExplainPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireAdmin()
  const filter = lenientQuery(ExplainQuery, await searchParams)
  const question = await readQuestion(ctx, filter)
  const { task } = question
  const answer = await explain(ctx, question)
  const shown = filterExplained(answer?.tools ?? [], filter)
  return (
    <PageFrame kind="list">
      <PageHead title="Explain">Tools a run would be offered, and what denies others.</PageHead>
      <AddressFilter fields={explainFields(question, filter)} count={answer?.count ?? ''} />
      {task && task !== 'none' && task.panelKind && (
        <p className="max-w-[72ch] text-muted">{panelNotes[task.panelKind]}</p>
      )}
      <h2 className="sr-only">Verdicts</h2>
      {answer === null && <NotThere question={question} />}
      {answer && shown.length > 0 && <VerdictList tools={shown} about={answer.about} />}
      {answer && shown.length === 0 && (
        <EmptyState icon={SearchX} title="No tools match this filter" />
      )}
    </PageFrame>
  )
}

const panelNotes: Readonly<Record<TaskPanel['kind'], string>> = {
  confer: 'Members have only the tools of the task. Pick one’s configuration above.',
  coordinate: 'Proposer and critics have only the tools of the task, the synthesizer none.',
}

async function explain(ctx: Ctx, { person, key, configuration, task }: Question) {
  if (person === null || key === null || configuration === null || task === null) return null
  const picked = configuration === 'none' ? null : configuration
  const taskId = picked && task !== 'none' ? task.id : null
  const about = { userId: person.id, configurationId: picked?.id ?? null, taskId }
  const tools = await explainTools(ctx, {
    userId: about.userId,
    apiKeyId: key === 'none' ? null : key.id,
    configuration: about.configurationId,
    task: taskId,
    selected: null,
  })
  const allowed = tools.filter(({ verdict }) => verdict.allowed).length
  const withWhat = picked ? ` with ${picked.name}` : ' without a configuration'
  const byWhat = key === 'none' ? '' : ` started with the API key ${key.name}`
  const ofWhat = task === 'none' ? '' : ` in the task ${task.name}`
  const count = `${allowed} of ${tools.length} tools allowed for ${visibleText(person.name)}${byWhat}${withWhat}${ofWhat}`
  return { about, tools, count }
}

/** Says that the address names something that does not exist. An answer about something else would mislead. */
function NotThere({ question }: { question: Question }) {
  if (question.person === null) return <UserNotFound />
  if (question.key === null) {
    return (
      <EmptyState icon={KeyRound} title="API key not found">
        Pick an API key above.
      </EmptyState>
    )
  }
  if (question.task === null) {
    return (
      <EmptyState icon={ListTodo} title="Task not found">
        Pick a task above.
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={SlidersHorizontal} title="Configuration not found">
      Pick a configuration above.
    </EmptyState>
  )
}
