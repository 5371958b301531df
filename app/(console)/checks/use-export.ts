'use client'
import { useAct } from '@/components/forms/use-act'
import { useToast } from '@/components/ui/toast'
import { checkFileText } from '@/lib/protocol/check/file-text'
import { visibleText } from '@/lib/words/clean-text'
import { exportChecks } from './actions'

type Wanted = Parameters<typeof exportChecks>[0]

/** Returns what saves a check, or the checks of a suite, as a file of the browser. `name`: of the check or suite. */
export function useExport(name: string): (wanted: Wanted) => Promise<void> {
  const { act } = useAct()
  const show = useToast()
  return async (wanted) => {
    const exported = await act(() => exportChecks(wanted), {
      failed: 'Not exported',
      done: `Exported ${visibleText(name)}`,
    })
    if (!exported) return
    saveFile('toolgate-checks.json', checkFileText(exported.file))
    for (const sentence of exported.leftOut) show({ tone: 'error', title: visibleText(sentence) })
  }
}

function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
