/** Headers and cookie of the browser. */
export const browser = { headers: new Headers(), cookie: '' }

// Integration tests call pages and actions outside of the framework, and find these functions in place of `next/headers`
// and `next/cache`.

export const headers = async () => browser.headers

export const cookies = async () => ({
  get: () => ({ value: browser.cookie }),
  set: (_name: string, value: string) => {
    browser.cookie = value
  },
})

export function revalidatePath(): void {}
