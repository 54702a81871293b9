declare const FACESCAN_VERSION: string | undefined

/** The package version: written in by the build, `0.0.0-dev` when run from source. */
export const version = typeof FACESCAN_VERSION === 'string' ? FACESCAN_VERSION : '0.0.0-dev'
