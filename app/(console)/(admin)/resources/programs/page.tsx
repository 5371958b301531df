import {
  findKnownPrograms,
  serverProblem,
  workspacesWithoutPrograms,
} from '@toolgate/server/domains/programs/place'
import { programVerbs } from '@toolgate/server/domains/programs/verbs'
import { resourceListPage } from '@/app/(console)/(admin)/resource-list'
import type { ReferenceChoices } from '@/components/resource/resource-form'
import { VisibleText } from '@/components/trace/visible-text'
import { programs } from '@/lib/domains/programs/shape'
import { KnownPrograms, NewProgramButton } from './program-form'

export const metadata = { title: 'Programs' }

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
          {problem} A program runs only if its form says why: it can then read the keys.
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
  about: 'Files that exec may run in workspaces, for admins.',
  add: NewProgramButton,
  columns: [
    {
      key: 'accepted',
      head: 'Sandbox',
      cell: ({ accepted }) => (accepted === null ? 'always' : 'where there is one'),
    },
  ],
  readAbove,
})
