'use client'
import type { FolderReport } from '@toolgate/server/domains/skills/folder-verbs'
import { FolderSync } from 'lucide-react'
import { useState } from 'react'
import { sendAction } from '@/components/forms/use-act'
import { CodeText } from '@/components/trace/code-text'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { ErrorNotice } from '@/components/ui/error-notice'
import type { ActionResult } from '@/lib/next/action'
import { countOf } from '@/lib/words/format'
import { readFolderAgain } from '../actions'

/** Reads the skills folder again, and says what was found there that is new, different, gone or unusable. */
export function ReadFolder() {
  const [busy, setBusy] = useState(false)
  const [result, setResult] = useState<ActionResult<FolderReport> | null>(null)
  const read = async () => {
    setBusy(true)
    setResult(await sendAction(() => readFolderAgain({})))
    setBusy(false)
  }
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-3">
        <Button loading={busy} onClick={read}>
          {!busy && <FolderSync className="size-4" aria-hidden />}
          Read the folder again
        </Button>
        <p role="status" className="text-muted">
          {result?.ok && reportWords(result.value)}
        </p>
      </div>
      {result?.ok === false && (
        <ErrorNotice title="The folder was not read">{result.error.message}</ErrorNotice>
      )}
      {result?.ok &&
        result.value.warnings.map((words) => (
          <p key={words} className="text-warning [overflow-wrap:anywhere]">
            <VisibleText text={words} />
          </p>
        ))}
      {result?.ok && result.value.problems.length > 0 && (
        <ErrorNotice title="Some files could not be used">
          <ul className="list-disc pl-5">
            {result.value.problems.map(({ path, problem }) => (
              <li key={path} className="[overflow-wrap:anywhere]">
                <CodeText text={path} />: <VisibleText text={problem} />
              </li>
            ))}
          </ul>
        </ErrorNotice>
      )}
    </div>
  )
}

function reportWords({ added, changed, missing, returned, unchanged }: FolderReport): string {
  const counts: [string[], string][] = [
    [added, 'new'],
    [changed, 'changed, not used until accepted'],
    [missing, 'missing'],
    [returned, 'restored to the accepted version'],
    [unchanged, 'unchanged'],
  ]
  const said = counts.flatMap(([names, word]) => (names.length ? [`${names.length} ${word}`] : []))
  return said.length > 0 ? `${said.join(', ')}.` : `${countOf(0, 'skill')} in the folder.`
}
