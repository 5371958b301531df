'use client'
import { Download, Play } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { lazyPart } from '@/components/ui/lazy-part'
import { MoreMenu } from '@/components/ui/more-menu'
import { startSuite } from '../actions'
import { useExport } from '../use-export'

const RunWith = lazyPart(async () => (await import('../run-with')).RunWith)

type Props = {
  suite: string
  configurations: readonly { id: string; name: string }[]
  /** Offers everything that the page of the suite does, not only a run. */
  isWhole?: boolean
}

/** Asks how to run a suite, and runs it. */
export function RunSuite({ suite, configurations, isWhole = false }: Props) {
  const [isOpen, setOpen] = useState(false)
  const exportFile = useExport(suite)
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Play className="size-4 fill-current" aria-hidden />
        Run
      </Button>
      {isWhole && (
        <MoreMenu
          entries={[
            { label: 'Export', icon: Download, onSelect: () => void exportFile({ suite }) },
          ]}
        />
      )}
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
