'use client'
import { Play } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { lazyPart } from '@/components/ui/lazy-part'
import { startSuite } from '../actions'

const RunWith = lazyPart(async () => (await import('../run-with')).RunWith)

type Props = { suite: string; configurations: readonly { id: string; name: string }[] }

/** Asks how to run a suite, and runs it. */
export function RunSuite({ suite, configurations }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Play className="size-4 fill-current" aria-hidden />
        Run
      </Button>
      {isOpen && (
        <RunWith
          name={suite}
          hint="Leave empty for the own configuration of each check."
          configurations={configurations}
          send={(wishes) => startSuite({ suite, ...wishes })}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
