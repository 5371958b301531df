'use client'
import { Check, Download, History, Power, Trash2 } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { type ComponentProps, useState } from 'react'
import { ConfirmDialog } from '@/components/forms/confirm-dialog'
import { useAct } from '@/components/forms/use-act'
import { LimitGone } from '@/components/nouns/skill-words'
import { Button } from '@/components/ui/button'
import type { SkillListing } from '@/lib/domains/skills/schemas'
import { visibleText } from '@/lib/protocol/clean-text'
import { acceptChange, removeSkill, restoreVersion, switchSkill } from '../actions'

type ActionsProps = {
  skill: Pick<SkillListing, 'id' | 'name' | 'enabled'>
  /** The names of configurations and tasks that only this skill limits. */
  limits: readonly string[]
  /** The consequence of deleting the skill. */
  deletion: string
}

/** Shows the buttons that switch, download and delete a skill. */
export function SkillActions({ skill: { id, name, enabled }, limits, deletion }: ActionsProps) {
  const router = useRouter()
  const { busy, act } = useAct()
  const [deleting, setDeleting] = useState(false)
  const [switchingOff, setSwitchingOff] = useState(false)
  const [question, setQuestion] = useState<string | null>(null)
  const set = (on: boolean, confirmed = false) => switchSkill({ id, enabled: on, confirmed })
  const send = () => set(!enabled)
  const words = {
    failed: `${name} was not changed`,
    done: `Switched ${enabled ? 'off' : 'on'} ${name}`,
    undo: () => set(enabled, true),
    about: id,
  }
  const flip = () => {
    if (enabled && limits.length > 0) setSwitchingOff(true)
    else void act(send, { ...words, ask: setQuestion })
  }
  return (
    <>
      <Button loading={busy} onClick={flip}>
        {!busy && <Power className="size-4" aria-hidden />}
        Switch {enabled ? 'off' : 'on'}
      </Button>
      <Button asChild>
        <a href={`/api/skills/${id}/file`} download>
          <Download className="size-4" aria-hidden />
          Download
        </a>
      </Button>
      <Button onClick={() => setDeleting(true)}>
        <Trash2 className="size-4" aria-hidden />
        Delete
      </Button>
      {question && (
        <NoTools
          question={question}
          {...words}
          send={() => set(!enabled, true)}
          onClose={() => setQuestion(null)}
        />
      )}
      {switchingOff && (
        <ConfirmDialog
          {...words}
          title={`Switch off ${name}`}
          send={send}
          onClose={() => setSwitchingOff(false)}
        >
          <LimitGone configurations={limits} />
        </ConfirmDialog>
      )}
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

/** Asks before runs are left without tools. */
function NoTools({
  question,
  ...dialog
}: { question: string } & Omit<ComponentProps<typeof ConfirmDialog>, 'title' | 'children'>) {
  return (
    <ConfirmDialog {...dialog} title="Leave runs without tools">
      {visibleText(question)}
    </ConfirmDialog>
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
