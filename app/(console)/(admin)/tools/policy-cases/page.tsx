import { policyCaseVerbs } from '@toolgate/server/joined-verbs'
import { resourceListPage } from '@/app/(console)/(admin)/resource-list'
import type { OwnColumn } from '@/components/resource/resource-list'
import { VisibleText } from '@/components/trace/visible-text'
import { ToolName } from '@/components/ui/tool-name'
import { type PolicyCase, policyCases } from '@/lib/domains/policy-cases/shape'
import { NewPolicyCaseButton } from './policy-case-form'
import { Verdict } from './verdict'

export const metadata = { title: 'Policy cases' }

const columns: OwnColumn<typeof policyCases>[] = [
  {
    key: 'toolName',
    head: 'Tool',
    className: 'min-w-32',
    cell: ({ toolName }) => (
      <span className="font-mono text-mono">
        <ToolName name={toolName} />
      </span>
    ),
  },
  {
    key: 'verdict',
    head: 'Now',
    sort: 'text',
    cell: ({ verdict }) => <Verdict verdict={verdict} />,
  },
  {
    key: 'who',
    head: 'Who',
    className: 'max-w-48 [overflow-wrap:anywhere]',
    cell: (row) => <CaseSubject row={row} />,
  },
  {
    key: 'says',
    head: 'Decision now',
    className: 'min-w-64 max-w-120 [overflow-wrap:anywhere]',
    cell: ({ says }) => <VisibleText text={says} />,
  },
]

function CaseSubject({ row: { person, personGroup, apiKey } }: { row: PolicyCase }) {
  if (person) return <VisibleText text={person.email} />
  if (personGroup) return <VisibleText text={`a member of ${personGroup.name}`} />
  if (apiKey) return <VisibleText text={`the API key ${apiKey.name}`} />
  return <span className="text-error">deleted</span>
}

export default resourceListPage(policyCases, policyCaseVerbs, {
  about: 'Decisions that no change may break without a reason.',
  empty: 'Say what must be decided about a call, such as: Support sends no mail.',
  add: NewPolicyCaseButton,
  columns,
  card: (row) => (
    <>
      <Verdict verdict={row.verdict} />
      <span className="text-sm [overflow-wrap:anywhere]">
        <VisibleText text={row.says} />
      </span>
    </>
  ),
})
