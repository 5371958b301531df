'use client'
import { History } from 'lucide-react'
import { useAct } from '@/components/forms/use-act'
import { Button } from '@/components/ui/button'
import { restoreVersion } from '../actions'

export function RestoreVersion({ taskId, version }: { taskId: string; version: number }) {
  const { busy, act } = useAct()
  const restore = () =>
    void act(() => restoreVersion({ taskId, version }), {
      failed: `Version ${version} was not brought back`,
      done: (now) => `Version ${version} is back as version ${now.version}`,
    })
  return (
    <Button size="sm" loading={busy} onClick={restore}>
      {!busy && <History className="size-4" aria-hidden />}
      Restore<span className="sr-only"> version {version}</span>
    </Button>
  )
}
