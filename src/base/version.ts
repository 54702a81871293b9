declare const FACESCAN_VERSION: string | undefined

/** The package version. The build defines it; when run from source, it is `0.0.0-dev`. */
export const version = typeof FACESCAN_VERSION === 'string' ? FACESCAN_VERSION : '0.0.0-dev'
