import { workspaceVerbs } from '@toolgate/server/domains/workspaces/verbs'
import Link from 'next/link'
import { resourcePage } from '@/app/(console)/(admin)/resource-page'
import { CodeText } from '@/components/trace/code-text'
import { UndoWrite } from '@/components/trace/undo-write'
import { VisibleText } from '@/components/trace/visible-text'
import { RelativeTime } from '@/components/ui/relative-time'
import { Section } from '@/components/ui/section'
import { type FileWrite, workspaces } from '@/lib/domains/workspaces/shape'
import { WorkspaceActions } from '../workspace-form'

const { page, generateMetadata } = resourcePage(
  workspaces,
  workspaceVerbs,
  ({ object: workspace, choices }) => {
    const { folder, realFolder, trouble, noPrograms, writes } = workspace
    return {
      actions: <WorkspaceActions object={workspace} choices={choices} />,
      facts: folder === realFolder ? {} : { 'Leads to': <CodeText text={realFolder} /> },
      children: (
        <>
          {trouble !== null && (
            <p className="text-warning">
              Tools cannot use it now. <VisibleText text={trouble} />
            </p>
          )}
          {trouble === null && noPrograms !== null && (
            <p className="text-warning">
              <VisibleText text={noPrograms} />
            </p>
          )}
          <Section title="Last writes">
            {writes.length === 0 && <p className="text-muted">No tool wrote here yet.</p>}
            <ul className="flex flex-col gap-2">
              {writes.map((write) => (
                <Write key={write.id} write={write} />
              ))}
            </ul>
          </Section>
        </>
      ),
    }
  },
)

export { generateMetadata }
export default page

function Write({
  write: { id, path, at, by, runId, callId, isNew, undoneAt },
}: {
  write: FileWrite
}) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <CodeText text={path} />
      <span className="text-muted">
        {isNew ? 'made' : 'changed'} <RelativeTime at={at} /> for <VisibleText text={by} /> in{' '}
        <Link
          href={`/runs/${runId}#call-${callId}`}
          className="text-link underline underline-offset-2"
        >
          this run
        </Link>
      </span>
      {undoneAt === null ? (
        <UndoWrite of={{ writeId: id }} />
      ) : (
        <span className="text-muted">
          undone <RelativeTime at={undoneAt} />
        </span>
      )}
    </li>
  )
}
