'use client'
import type { SkillListing } from '@toolgate/server/domains/skills/schemas'
import { Check, Download, History, Trash2 } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { ConfirmDialog } from '@/components/forms/confirm-dialog'
import { useAct } from '@/components/forms/use-act'
import { LimitGone } from '@/components/nouns/skill-words'
import { Button } from '@/components/ui/button'
import { MoreMenu } from '@/components/ui/more-menu'
import { acceptChange, removeSkill, restoreVersion } from '../actions'
import { NoTools } from '../no-tools'

type ActionsProps = {
  skill: Pick<SkillListing, 'id' | 'name'>
  /** The consequence of deleting the skill. */
  deletion: string
}

/** Shows the button that downloads a skill, and the menu that deletes it. */
export function SkillActions({ skill: { id, name }, deletion }: ActionsProps) {
  const router = useRouter()
  const [deleting, setDeleting] = useState(false)
  return (
    <>
      <Button asChild>
        <a href={`/api/skills/${id}/file`} download>
          <Download className="size-4" aria-hidden />
          Download
        </a>
      </Button>
      <MoreMenu entries={[{ label: 'Delete…', icon: Trash2, onSelect: () => setDeleting(true) }]} />
      {deleting && (
        <ConfirmDialog
          title={`Delete ${name}`}
          failed={`${name} was not deleted`}
          done={`Deleted ${name}`}
          send={() => removeSkill({ id })}
          onDone={() => router.push('/skills')}
          onClose={() => setDeleting(false)}
        >
          {deletion}
        </ConfirmDialog>
      )}
    </>
  )
}

/** Shows a button that accepts the change on disk that is shown beside it. */
export function AcceptChange({
  skillId,
  name,
  checksum,
}: {
  skillId: string
  name: string
  checksum: string
}) {
  const { busy, act } = useAct()
  const [question, setQuestion] = useState<string | null>(null)
  const failed = `The change to ${name} was not accepted`
  const accept = () =>
    act(() => acceptChange({ id: skillId, checksum }), {
      failed,
      done: ({ version }) => `${name} is now version ${version}`,
      ask: setQuestion,
    })
  return (
    <div>
      {question && (
        <NoTools
          question={question}
          failed={failed}
          done={`Accepted the change to ${name}`}
          send={() => acceptChange({ id: skillId, checksum, confirmed: true })}
          onClose={() => setQuestion(null)}
        />
      )}
      <Button variant="primary" loading={busy} onClick={accept}>
        {!busy && <Check className="size-4" aria-hidden />}
        Accept the change
      </Button>
    </div>
  )
}

type RestoreProps = { skillId: string; version: number; limits: readonly string[] }

/** Restores a version. Asks first when that removes the last limit of a configuration. */
export function RestoreVersion({ skillId, version, limits }: RestoreProps) {
  const { busy, act } = useAct()
  const [asking, setAsking] = useState(false)
  const [question, setQuestion] = useState<string | null>(null)
  const send = () => restoreVersion({ id: skillId, version })
  const failed = `Version ${version} was not restored`
  const restore = () => {
    if (limits.length > 0) return setAsking(true)
    void act(send, {
      failed,
      done: (now) => `Restored version ${version} as version ${now.version}`,
      ask: setQuestion,
    })
  }
  return (
    <>
      <Button size="sm" loading={busy} onClick={restore}>
        {!busy && <History className="size-4" aria-hidden />}
        Restore<span className="sr-only"> version {version}</span>
      </Button>
      {question && (
        <NoTools
          question={question}
          failed={failed}
          done={`Restored version ${version}`}
          send={() => restoreVersion({ id: skillId, version, confirmed: true })}
          onClose={() => setQuestion(null)}
        />
      )}
      {asking && (
        <ConfirmDialog
          title={`Restore version ${version}`}
          failed={failed}
          done={`Restored version ${version}`}
          send={send}
          onClose={() => setAsking(false)}
        >
          <LimitGone configurations={limits} />
        </ConfirmDialog>
      )}
    </>
  )
}
