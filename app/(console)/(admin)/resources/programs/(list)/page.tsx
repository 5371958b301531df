import {
  findKnownPrograms,
  serverProblem,
  workspacesWithoutPrograms,
} from '@toolgate/server/domains/programs/place'
import { programVerbs } from '@toolgate/server/domains/programs/verbs'
import { SquareTerminal } from 'lucide-react'
import type { Metadata } from 'next'
import { resourceListPage } from '@/app/(console)/(admin)/resource-list'
import type { Column } from '@/components/list/columns'
import type { ReferenceChoices } from '@/components/resource/resource-form'
import { CardHead, nameColumn, switchColumn } from '@/components/resource/resource-list'
import { VisibleText } from '@/components/trace/visible-text'
import { type Program, programs } from '@/lib/domains/programs/shape'
import { factText } from '@/lib/shape/field-codec'
import type { SortKeyOf } from '@/lib/shape/resource'
import { changeProgram } from '../actions'
import { KnownPrograms, NewProgramButton } from '../program-form'

export const metadata: Metadata = { title: 'Programs' }

const { fields } = programs

const columns: Column<Program, SortKeyOf<typeof programs>>[] = [
  switchColumn(fields, changeProgram),
  nameColumn('Program', programs),
  {
    key: 'path',
    head: fields.path.label,
    className: 'max-w-80 [overflow-wrap:anywhere]',
    cell: (program) => <Path program={program} />,
  },
  {
    key: 'subcommands',
    head: fields.subcommands.label,
    className: 'max-w-96 [overflow-wrap:anywhere]',
    cell: ({ subcommands }) => <VisibleText text={factText(fields.subcommands, subcommands)} />,
  },
  {
    key: 'network',
    head: 'Network',
    cell: ({ network }) => (network ? 'all' : <span className="text-muted">none</span>),
  },
  {
    key: 'sandbox',
    head: 'Sandbox',
    cell: ({ accepted }) => (accepted === null ? 'always' : 'where there is one'),
  },
]

function Path({ program: { path } }: { program: Program }) {
  return (
    <code className="font-mono text-mono">
      <VisibleText text={path} />
    </code>
  )
}

/** Shows one program on a narrow screen. */
function Entry({ program }: { program: Program }) {
  return (
    <>
      <CardHead resource={programs} row={program} send={changeProgram} />
      <span className="text-muted text-sm [overflow-wrap:anywhere]">
        <Path program={program} />
        {program.network && ', may use the network'}
      </span>
    </>
  )
}

async function readAbove() {
  const [problem, found, without] = await Promise.all([
    serverProblem(),
    findKnownPrograms(),
    workspacesWithoutPrograms(),
  ])
  return (choices: ReferenceChoices) => (
    <>
      {problem !== null && (
        <p className="max-w-[72ch] text-warning">
          {problem} No program runs here until a person says in its form why it may without one: it
          can then read and change all that the server can, the database and keys included.
        </p>
      )}
      {without.map(({ name, problem }) => (
        <p key={name} className="text-warning">
          <VisibleText text={`Workspace ${name}: ${problem}`} />
        </p>
      ))}
      <KnownPrograms found={found} choices={choices} />
    </>
  )
}

export default resourceListPage(programs, programVerbs, {
  about:
    'What tools may reach. A program is a file of the server that exec may run in workspaces, for admins.',
  add: (choices) => <NewProgramButton choices={choices} />,
  columns,
  card: (program) => <Entry program={program} />,
  searched: 'name, path and note',
  nothing: {
    icon: SquareTerminal,
    words:
      'exec runs programs in workspaces, such as git or grep, but only those that you add here, with the arguments that you allow.',
  },
  readAbove,
})
