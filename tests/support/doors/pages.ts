type Page = (props: { params: Promise<object>; searchParams: Promise<object> }) => Promise<unknown>

const modules = import.meta.glob<{ default: Page }>('../../../app/**/page.tsx')

/** Returns every page of the console by its folder below `app/(console)`. Loads most of the console, which takes seconds. */
export async function loadPages(): Promise<Map<string, Page>> {
  const pages = new Map<string, Page>()
  for (const [file, load] of Object.entries(modules)) {
    const [, place] = file.split('/(console)/')
    if (place) pages.set(place.replace('/page.tsx', ''), (await load()).default)
  }
  return pages
}

/** Returns the pages outside of the console, which are for people who are not signed in, or only lead elsewhere. */
export function pagesOutside(): string[] {
  return Object.keys(modules)
    .filter((file) => !file.includes('/(console)/'))
    .map((file) => file.replace('../../../app/', '').replace(/\/?page\.tsx$/, ''))
    .toSorted()
}

/**
 * Returns what Next.js would make of what a page does by itself, without the layouts above it: `shown`, a status, or the address
 * that it leads to. `idOf` gives each parameter of its address.
 */
export async function answerOf(page: Page, idOf: (parameter: string) => string): Promise<string> {
  const params = new Proxy<Record<string, string>>({}, { get: (_none, name) => idOf(String(name)) })
  try {
    await page({ params: Promise.resolve(params), searchParams: Promise.resolve({}) })
    return 'shown'
  } catch (error) {
    if (!(error instanceof Error) || !('digest' in error)) throw error
    const digest = String(error.digest)
    const [kind = '', status, target] = digest.split(';')
    return kind === 'NEXT_REDIRECT' ? String(target) : String(status)
  }
}
