'use client'
import { History } from 'lucide-react'
import { useState } from 'react'
import { ConfirmDialog } from '@/components/forms/confirm-dialog'
import { useAct } from '@/components/forms/use-act'
import { LimitGone } from '@/components/nouns/skill-words'
import { Button } from '@/components/ui/button'
import { restoreVersion } from '../actions'

type Props = { skillId: string; version: number; limits: readonly string[] }

/** Asks first where the old version would take the last limit of a configuration away. */
export function RestoreVersion({ skillId, version, limits }: Props) {
  const { busy, act } = useAct()
  const [asking, setAsking] = useState(false)
  const send = () => restoreVersion({ skillId, version })
  const failed = `Version ${version} was not restored`
  const restore = () => {
    if (limits.length > 0) return setAsking(true)
    void act(send, {
      failed,
      done: (now) => `Restored version ${version} as version ${now.version}`,
    })
  }
  return (
    <>
      <Button size="sm" loading={busy} onClick={restore}>
        {!busy && <History className="size-4" aria-hidden />}
        Restore<span className="sr-only"> version {version}</span>
      </Button>
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
