/** An object cannot be had in a version that the list of owners names (PA-27). */
export class ConversionFault extends Error {}
