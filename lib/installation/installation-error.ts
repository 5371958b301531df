/** Something the person starting Toolgate can put right; `message` is one sentence for them. */
export class InstallationError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'InstallationError'
  }
}
